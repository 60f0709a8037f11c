package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Senders with a connection each who start workflows, and after a refusal try the next at once. */
final class Crowd {
  private static final int READ_LIMIT_MS = 60_000;

  private final URI server;
  private final int senders;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  Crowd(URI server, int senders) {
    this.server = server;
    this.senders = senders;
  }

  /** Starts that were answered with 201, in all rushes. */
  int taken() {
    return taken.get();
  }

  int refused() {
    return refused.get();
  }

  /** All of them at once, so many requests each. */
  void rush(String name, int each) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      String prefix = name + "-" + i + "-";
      all.add(
          CompletableFuture.runAsync(
              () -> send(prefix, each), task -> Thread.ofVirtual().start(task)));
    }
    all.forEach(CompletableFuture::join);
  }

  private void send(String prefix, int count) {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(READ_LIMIT_MS);
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int i = 0; i < count; i++) {
        String body = "{\"type\":\"echo\",\"id\":\"%s%d\"}".formatted(prefix, i);
        String request =
            "POST /api/v1/workflows HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(server.getAuthority(), body.length(), body);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        judge(RawHttp.read(in));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void judge(Http.Reply reply) {
    if (reply.status() == 201) {
      taken.incrementAndGet();
      return;
    }
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(503);
    assertThat(reply.code()).isEqualTo("Overloaded");
    assertThat(reply.header("Retry-After")).isEqualTo("1");
    refused.incrementAndGet();
  }
}
