package dev.tenure.sharding.payload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MappingJsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.kernel.Limits;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Values as JSON. Where the reader names the type, a payload is plain JSON; where it does not, as
 * for a step's result, the value's own type stands in front ({@link TypeTag}). A value of null is
 * no payload at all.
 */
public final class PayloadCodec {
  private static final int TYPES_MAX = 10_000;

  /** By default a thread keeps its own buffers, and every run of code has a thread of its own. */
  private static final RecyclerPool<BufferRecycler> BUFFERS =
      JsonRecyclerPools.newConcurrentDequePool();

  /**
   * What writes values of a type.
   *
   * @param tag what stands in front of them when nobody names the type
   * @param number the class of values that are written as Java does, null when none is
   */
  private record Writer(ObjectWriter json, byte[] tag, Class<?> number) {}

  private final ObjectMapper json;
  private final JsonFactory factory;
  private final Encryption encryption;

  /** Numbers are written as Java does, unless the application configured the mapper. */
  private final boolean plainNumbers;

  // Making one costs more than using it. By class or type, so there are as many as the code has
  // types.
  private final Map<JavaType, Writer> writers = new ConcurrentHashMap<>();
  private final Map<JavaType, ObjectReader> readers = new ConcurrentHashMap<>();
  private final TypeNames names;

  /** Kept by the class itself, so that code which is loaded anew does not pile up here. */
  private final ClassValue<PayloadCodec> byCode =
      new ClassValue<>() {
        @Override
        protected PayloadCodec computeValue(Class<?> code) {
          return new PayloadCodec(
              PayloadCodec.this, code.getClassLoader(), differences, encryption);
        }
      };

  /**
   * Gets a report of each value that is not equal after reading it back; null when values are not
   * compared.
   */
  private final Consumer<String> differences;

  /**
   * Values as the application's own mapper writes them. It is copied, and sets keep an order in the
   * copy: without that, a replay in another process would come to other values.
   */
  public PayloadCodec(ObjectMapper json) {
    this(
        json.copy().registerModule(inOrder()).registerModule(new SetsInOrder()),
        false,
        Encryption.NONE);
  }

  /** The mapper's factory, with pooled buffers; a factory of another class stays as it is. */
  private static JsonFactory pooled(ObjectMapper json) {
    JsonFactory factory = json.getFactory();
    if (factory.getClass() != JsonFactory.class && factory.getClass() != MappingJsonFactory.class)
      return factory;
    JsonFactory pooled = ((JsonFactoryBuilder) factory.rebuild()).recyclerPool(BUFFERS).build();
    // Deserializers of the application read parts of a value through it.
    return pooled.setCodec(json);
  }

  private PayloadCodec(ObjectMapper json, boolean plainNumbers, Encryption encryption) {
    this.json = json;
    this.factory = pooled(json);
    this.encryption = encryption;
    this.plainNumbers = plainNumbers;
    this.names = new TypeNames(json, json.getTypeFactory());
    this.differences = null;
  }

  private PayloadCodec(
      PayloadCodec other, ClassLoader loader, Consumer<String> differences, Encryption encryption) {
    this.json = other.json;
    this.factory = other.factory;
    this.encryption = encryption;
    this.plainNumbers = other.plainNumbers;
    this.names =
        loader == null
            ? other.names
            : new TypeNames(json, json.getTypeFactory().withClassLoader(loader));
    this.differences = differences;
  }

  /** The same, with the names of recorded types resolved by the class loader of that code. */
  public PayloadCodec forCode(Class<?> code) {
    return byCode.get(code);
  }

  /**
   * The same, that also reads back what it writes: for development and for tests.
   *
   * @param differences told which value did not come back equal, and what of it
   */
  public PayloadCodec comparing(Consumer<String> differences) {
    return new PayloadCodec(this, null, differences, encryption);
  }

  /** Records, optionals, java.time in ISO form; what is unknown is skipped, as new code may add. */
  public static PayloadCodec standard() {
    return new PayloadCodec(
        JsonMapper.builder()
            .addModule(new ParameterNamesModule())
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .addModule(inOrder())
            .addModule(new SetsInOrder())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .build(),
        true,
        Encryption.NONE);
  }

  /** The same, with all that it writes encrypted; it also reads what is not. */
  public PayloadCodec encryptedBy(PayloadCipher cipher) {
    return new PayloadCodec(this, null, differences, new Encryption(Optional.of(cipher)));
  }

  /** The stored form of a payload that a client sent, as JSON or encrypted by the client. */
  public Payload received(Payload payload) {
    if (encryption.cipher().isEmpty() || payload.isNone()) return payload;
    return Payload.of(encryption.received(payload.bytes()));
  }

  /** A set comes back in the order in which it was written: code goes through it, and replays. */
  private static SimpleModule inOrder() {
    return new SimpleModule("tenure-order").addAbstractTypeMapping(Set.class, LinkedHashSet.class);
  }

  /**
   * @param what names the value in errors: {@code the result of step charge#1}
   */
  public Payload write(Object value, Type type, String what) {
    return write(value, type, what, "PAYLOAD_BYTES_MAX", Limits.PAYLOAD_BYTES_MAX);
  }

  /** As {@link #write}, for values that stay within their workflow and may be larger. */
  public Payload writeKept(Object value, Type type, String what) {
    return write(value, type, what, "KEPT_BYTES_MAX", Limits.KEPT_BYTES_MAX);
  }

  private Payload write(Object value, Type type, String what, String limit, int bytesMax) {
    if (value == null) return Payload.NONE;
    try {
      byte[] bytes = bytes(writer(json.constructType(type)), value);
      Payload payload = checked(bytes, 0, what, limit, bytesMax);
      if (differences != null) compare(value, () -> read(payload, type, what), what);
      return payload;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw cannotWrite(what, value, e);
    }
  }

  /** With the value's own type in front. */
  public Payload writeNamed(Object value, String what) {
    if (value == null) return Payload.NONE;
    try {
      JavaType type = names.of(value);
      Writer writer = writer(type);
      byte[] tag = writer.tag;
      byte[] text = bytes(writer, value);
      TypeTag.requireWritable(tag);
      byte[] all = Arrays.copyOf(tag, tag.length + text.length);
      System.arraycopy(text, 0, all, tag.length, text.length);
      Payload payload = checked(all, tag.length, what, "KEPT_BYTES_MAX", Limits.KEPT_BYTES_MAX);
      if (differences != null) compare(value, () -> readNamed(payload, what), what);
      return payload;
    } catch (PayloadConversionException e) {
      throw new PayloadConversionException(
          "Cannot write %s: %s.".formatted(capital(what), e.getMessage()));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw cannotWrite(what, value, e);
    }
  }

  private void compare(Object written, Supplier<Object> reading, String what) {
    Object back;
    try {
      back = reading.get();
    } catch (PayloadConversionException unread) {
      differences.accept(unread.getMessage());
      return;
    }
    Differences.between(written, back)
        .ifPresent(
            difference ->
                differences.accept(
                    "%s does not come back as it was written: %s."
                        .formatted(capital(what), difference)));
  }

  private Writer writer(JavaType type) {
    Writer known = writers.get(type);
    if (known != null) return known;
    byte[] tag = TypeTag.of(type.toCanonical());
    Writer made = new Writer(json.writerFor(type).with(factory), tag, number(type.getRawClass()));
    // Types of nested containers have no end.
    if (writers.size() < TYPES_MAX) writers.put(type, made);
    return made;
  }

  private ObjectReader reader(JavaType type) {
    ObjectReader known = readers.get(type);
    if (known != null) return known;
    ObjectReader made = json.readerFor(type).with(factory);
    if (readers.size() < TYPES_MAX) readers.put(type, made);
    return made;
  }

  private Class<?> number(Class<?> type) {
    if (!plainNumbers) return null;
    if (type == int.class || type == Integer.class) return Integer.class;
    return type == long.class || type == Long.class ? Long.class : null;
  }

  private byte[] bytes(Writer writer, Object value) throws JsonProcessingException {
    if (value.getClass() == writer.number)
      return value.toString().getBytes(StandardCharsets.ISO_8859_1);
    return writer.json.writeValueAsBytes(value);
  }

  private Payload checked(byte[] bytes, int ofWhichName, String what, String limit, int bytesMax) {
    // What is stored is a little larger than what was encrypted.
    byte[] stored = encryption.encrypted(bytes);
    if (stored.length > bytesMax)
      throw new LimitExceededException(
          limit,
          stored.length - ofWhichName,
          bytesMax,
          capital(what) + " is too large: keep it elsewhere and return a reference.");
    return Payload.of(stored);
  }

  private static PayloadConversionException cannotWrite(String what, Object value, Exception e) {
    return new PayloadConversionException(
        "%s cannot be written as JSON: %s is a %s. %s"
            .formatted(capital(what), what, value.getClass().getName(), firstLine(e)),
        e);
  }

  /** Whether a value may be written as that type. */
  public boolean isOf(Type type, Object value) {
    Class<?> wanted = json.constructType(type).getRawClass();
    return MethodType.methodType(wanted).wrap().returnType().isInstance(value);
  }

  /** The value as it was written, of the type that the reader names. */
  public Object read(Payload payload, Type type, String what) {
    JavaType wanted = json.constructType(type);
    byte[] bytes = payload.isNone() ? null : encryption.decrypted(payload.bytes(), capital(what));
    try {
      if (bytes == null) return absent(wanted);
      int start = TypeTag.length(bytes);
      return reader(wanted).readValue(bytes, start, bytes.length - start);
    } catch (IOException | RuntimeException | LinkageError e) {
      // A deserializer of the application's own may throw anything.
      throw cannotRead(what, wanted.toCanonical(), e);
    }
  }

  private Object absent(JavaType wanted) throws IOException {
    // An Optional is never null; a primitive has no way to be absent, so its zero stands for it.
    if (wanted.isReferenceType()) return json.readerFor(wanted).readValue("null");
    Class<?> raw = wanted.getRawClass();
    return raw.isPrimitive() && raw != void.class ? Array.get(Array.newInstance(raw, 1), 0) : null;
  }

  /** The value as it was written, of the type that stands in front of it. */
  public Object readNamed(Payload payload, String what) {
    if (payload.isNone()) return null;
    byte[] bytes = encryption.decrypted(payload.bytes(), capital(what));
    int start = TypeTag.length(bytes);
    if (start == 0)
      throw new PayloadConversionException(
          "%s was recorded with a TypeRef: read it with one.".formatted(capital(what)));
    String name = TypeTag.name(bytes);
    try {
      return reader(names.named(name)).readValue(bytes, start, bytes.length - start);
    } catch (IOException | RuntimeException | LinkageError e) {
      throw cannotRead(what, name, e);
    }
  }

  /** Only the JSON of a payload, for people and for other systems. */
  public static String jsonOf(Payload payload) {
    if (payload.isNone()) return "null";
    byte[] bytes = payload.bytes();
    return Encryption.isEncrypted(bytes) ? Encryption.json(bytes) : json(bytes);
  }

  /** As {@link #jsonOf}, decrypted. */
  String readableJsonOf(Payload payload, String what) {
    return payload.isNone() ? "null" : json(encryption.decrypted(payload.bytes(), what));
  }

  private static String json(byte[] bytes) {
    int start = TypeTag.length(bytes);
    return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
  }

  private static PayloadConversionException cannotRead(String what, String type, Throwable e) {
    return new PayloadConversionException(
        "%s cannot be read as %s. %s".formatted(capital(what), type, firstLine(e)), e);
  }

  private static String firstLine(Throwable e) {
    // A bare exception, as of a null pointer, says nothing without its class.
    String message =
        e instanceof IOException || e instanceof IllegalArgumentException
            ? ThrowableText.message(e)
            : ThrowableText.line(e);
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  private static String capital(String what) {
    return Character.toUpperCase(what.charAt(0)) + what.substring(1);
  }

  /** Whether such a value is the same after it was written and read, and cannot be changed. */
  static boolean isSimple(Object value) {
    return value == null
        || value instanceof String
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Boolean
        || value instanceof Enum<?>
        || value instanceof java.util.UUID;
  }
}
