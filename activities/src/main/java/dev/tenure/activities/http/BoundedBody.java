package dev.tenure.activities.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes the body of an answer, up to a limit, and holds no byte more than that. */
final class BoundedBody implements BodySubscriber<byte[]> {
  /** A body was longer than its limit. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    final transient long bytes;

    TooLongException(long bytes) {
      super("The body has at least %d bytes.".formatted(bytes));
      this.bytes = bytes;
    }
  }

  /** What becomes of a longer body. */
  enum Beyond {
    /** It is refused. */
    FAIL,
    /** Its beginning is enough. */
    CUT
  }

  private final int bytesMax;
  private final Beyond beyond;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.Subscription subscription;

  BoundedBody(int bytesMax, Beyond beyond) {
    this.bytesMax = bytesMax;
    this.beyond = beyond;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (body.isDone()) return;
    for (ByteBuffer buffer : buffers) {
      int room = bytesMax - bytes.size();
      byte[] some = new byte[Math.min(buffer.remaining(), room)];
      long all = (long) bytes.size() + buffer.remaining();
      buffer.get(some);
      bytes.writeBytes(some);
      if (all > bytesMax) {
        subscription.cancel();
        if (beyond == Beyond.CUT) body.complete(bytes.toByteArray());
        else body.completeExceptionally(new TooLongException(all));
        return;
      }
    }
    subscription.request(1);
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
