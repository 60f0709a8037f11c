package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import java.util.List;
import java.util.Optional;

/**
 * Decides which operations a workflow wants next. It is deterministic, keeps its state in memory
 * only and uses no storage, clocks or actors: the same news make the same wishes.
 */
public interface Program {
  /**
   * Handles the news one by one and answers with what it wants now and had not asked for before.
   * When this method returns, the program waits for more news, or has ended. It may be called
   * before the news are committed, and is thrown away when they are not.
   *
   * <p>A program that has ended may be told more news, while its end waits to be granted. It asks
   * for the signals among them to be {@linkplain Wish.GiveBack given back}, and for nothing else.
   *
   * <p>News of an operation that it has not asked for yet are kept until it does: a replay with
   * newer code may bring them early.
   */
  Wishes advance(List<News> news);

  /**
   * Answers a question, and changes nothing by it; empty when it knows no such question.
   *
   * @param input as the caller gave it
   */
  default Optional<Payload> query(String name, Payload input) {
    return Optional.empty();
  }
}
