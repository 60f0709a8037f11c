package dev.tenure.http.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** What an operation answers when it was carried out. */
public sealed interface Answer {
  /** A JSON object. */
  record Said(int status, ObjectNode body, Map<String, String> headers) implements Answer {
    public Said header(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(headers);
      more.put(name, value);
      return new Said(status, body, more);
    }
  }

  /** Events, as long as there are some. */
  record Events(Source<ByteString, NotUsed> source) implements Answer {}

  static Said ok(ObjectNode body) {
    return new Said(200, body, Map.of());
  }

  static Said created(ObjectNode body, String location) {
    return new Said(201, body, Map.of("Location", location));
  }

  static Said accepted(ObjectNode body) {
    return new Said(202, body, Map.of());
  }
}
