package dev.tenure.sharding.code;

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
            return Set.class.isAssignableFrom(type.getRawClass())
                ? new Sorting(serializer)
                : serializer;
          }
        });
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
      inner.serialize(sorted((Set<?>) value), out, provider);
    }

    @Override
    public void serializeWithType(
        Object value, JsonGenerator out, SerializerProvider provider, TypeSerializer type)
        throws IOException {
      inner.serializeWithType(value, out, provider, type);
    }

    private static Set<?> sorted(Set<?> set) {
      if (set.size() < 2 || set instanceof SequencedCollection<?> || set instanceof EnumSet<?>)
        return set;
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
