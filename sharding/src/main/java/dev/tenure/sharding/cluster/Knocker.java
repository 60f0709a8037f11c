package dev.tenure.sharding.cluster;

import dev.tenure.persistence.membership.RowWatch.Sighting;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that the process of a member has ended: a node binds its address before it announces
 * itself, so an address that refuses connections has no node behind it. No answer at all proves
 * nothing: the host may have lost its power, or only its network. It has a thread of its own,
 * because names may take long to resolve.
 */
final class Knocker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Knocker.class);

  private final Duration limit;
  private final Duration pause;
  private final Runnable heard;
  private final Set<Sighting> underWay = ConcurrentHashMap.newKeySet();
  private final Set<Sighting> refused = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor thread;

  /**
   * @param heard called after a refusal
   */
  Knocker(ArbiterTimes times, Runnable heard) {
    this.limit = times.connectLimit();
    this.pause = times.connectPause();
    this.heard = heard;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-knocks").factory());
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Tries to reach these suspects, and forgets what it knew of all others. */
  void knock(Set<Sighting> suspects) {
    refused.retainAll(suspects);
    for (Sighting suspect : suspects)
      if (!refused.contains(suspect) && underWay.add(suspect)) thread.execute(() -> first(suspect));
  }

  boolean hasRefused(Sighting suspect) {
    return refused.contains(suspect);
  }

  private void first(Sighting suspect) {
    if (refuses(suspect))
      thread.schedule(() -> second(suspect), pause.toMillis(), TimeUnit.MILLISECONDS);
    else underWay.remove(suspect);
  }

  /** The second attempt meets a node that was about to be started at the same address. */
  private void second(Sighting suspect) {
    boolean proven = refuses(suspect);
    if (proven) refused.add(suspect);
    underWay.remove(suspect);
    if (proven) heard.run();
  }

  private boolean refuses(Sighting suspect) {
    try (Socket socket = new Socket()) {
      Address address = Arbiter.address(suspect.node().node());
      socket.connect(
          new InetSocketAddress(
              address.getHost().orElseThrow(), address.getPort().orElseThrow().intValue()),
          (int) limit.toMillis());
      return false;
    } catch (ConnectException e) {
      // Within so short a time: refused. A host that is not there is another exception.
      return true;
    } catch (IOException e) {
      return false;
    } catch (RuntimeException | Error e) {
      // A suspect that stays under way is never tried again.
      log.warn("{} cannot be tried: {}", suspect.node().node(), e.toString());
      return false;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
