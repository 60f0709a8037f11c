package dev.tenure.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** Requests as no well-behaved client would send them. */
final class RawHttp {
  private static final int READ_LIMIT_MS = 30_000;

  private RawHttp() {}

  static Http.Reply get(URI server, String target) {
    return send(
        server, "GET " + target + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n\r\n");
  }

  /** Sends these bytes, one for each character, and reads one answer. */
  static Http.Reply send(URI server, String request) {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(READ_LIMIT_MS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return read(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Http.Reply read(InputStream in) throws IOException {
    String status = line(in);
    Map<String, List<String>> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    HttpHeaders all = HttpHeaders.of(headers, (name, value) -> true);
    int length = all.firstValue("Content-Length").map(Integer::parseInt).orElse(0);
    byte[] body = in.readNBytes(length);
    int code = Integer.parseInt(status.split(" ")[1]);
    return new Http.Reply(
        code,
        body.length == 0 ? Http.JSON.missingNode() : Http.JSON.readTree(body),
        new Answer(code, all, body));
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) throw new IOException("the connection ended after: " + line);
      if (b != '\r') line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private record Answer(int statusCode, HttpHeaders headers, byte[] body)
      implements HttpResponse<byte[]> {
    @Override
    public HttpRequest request() {
      return null;
    }

    @Override
    public Optional<HttpResponse<byte[]>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return null;
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }
  }
}
