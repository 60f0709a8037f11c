package dev.tenure.sharding.payload;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.type.CollectionType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedCollection;
import java.util.Set;

/**
 * Writes the elements of a set without an order of its own sorted. {@code Set.of} and a {@code
 * HashSet} of enums have another order in each process: without this a replay elsewhere would write
 * another input for the same operation.
 */
final class SetsInOrder extends SimpleModule {
  private static final long serialVersionUID = 1;

  SetsInOrder() {
    super("sets in order");
    setSerializerModifier(
        new BeanSerializerModifier() {
          private static final long serialVersionUID = 1;

          @Override
          public JsonSerializer<?> modifyCollectionSerializer(
              SerializationConfig config,
              CollectionType type,
              BeanDescription description,
              JsonSerializer<?> serializer) {
            return mayBeSet(type.getRawClass()) ? new Sorting(serializer) : serializer;
          }

          @Override
          public JsonSerializer<?> modifySerializer(
              SerializationConfig config, BeanDescription description, JsonSerializer<?> standard) {
            return description.getBeanClass() == Iterable.class ? new Sorting(standard) : standard;
          }
        });
  }

  /** A set, or a supertype of all sets: a value declared as a collection may be a set. */
  private static boolean mayBeSet(Class<?> type) {
    return Set.class.isAssignableFrom(type) || type.isAssignableFrom(Set.class);
  }

  private static final class Sorting extends JsonSerializer<Object>
      implements ContextualSerializer {
    private final JsonSerializer<Object> inner;

    @SuppressWarnings("unchecked")
    private Sorting(JsonSerializer<?> inner) {
      this.inner = (JsonSerializer<Object>) inner;
    }

    @Override
    public JsonSerializer<?> createContextual(SerializerProvider provider, BeanProperty property)
        throws JsonMappingException {
      return new Sorting(provider.handleSecondaryContextualization(inner, property));
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, Object value) {
      return inner.isEmpty(provider, value);
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      inner.serialize(sorted(value), out, provider);
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator out, SerializerProvider provider, TypeSerializer type)
        throws IOException {
      // Its class is written, too: one of the application's own has to stay.
      boolean isOfTheJdk = value.getClass().getName().startsWith("java.util.");
      inner.serializeWithType(isOfTheJdk ? sorted(value) : value, out, provider, type);
    }

    private static Object sorted(Object value) {
      if (!(value instanceof Set<?> set)
          || set.size() < 2
          || set instanceof SequencedCollection<?>
          || set instanceof EnumSet<?>) return value;
      List<Object> elements = new ArrayList<>(set);
      Class<?> first = elements.getFirst() == null ? null : elements.getFirst().getClass();
      boolean comparable = true;
      for (Object one : elements)
        comparable &= one instanceof Comparable<?> && one.getClass() == first;
      // Anything else in the order of its text, which records have by their values.
      elements.sort(comparable ? natural() : Comparator.comparing(String::valueOf));
      return new LinkedHashSet<>(elements);
    }

    @SuppressWarnings("unchecked")
    private static Comparator<Object> natural() {
      return (one, other) -> ((Comparable<Object>) one).compareTo(other);
    }
  }
}
