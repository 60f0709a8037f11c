package dev.tenure.persistence.visibility;

import dev.tenure.workflow.Attribute;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The search attributes of a workflow as its row keeps them. Instants stand there in their written
 * form and are read back as texts; a search for an instant finds them all the same.
 */
public record Attributes(Map<String, Attribute> values) {
  public static final Attributes NONE = new Attributes(Map.of());

  /** What was taken away is not there. */
  public Attributes {
    TreeMap<String, Attribute> kept = new TreeMap<>(values);
    kept.values().removeIf(Attribute.Removed.class::isInstance);
    kept.replaceAll(Attributes::asKept);
    values = java.util.Collections.unmodifiableMap(kept);
  }

  public static Attributes of(String name, Object value) {
    return new Attributes(Map.of(name, Attribute.of(value)));
  }

  /** These and one more. */
  public Attributes and(String name, Object value) {
    TreeMap<String, Attribute> all = new TreeMap<>(values);
    all.put(name, Attribute.of(value));
    return new Attributes(all);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether each of the wanted is among these. */
  boolean contain(Attributes wanted) {
    return wanted.values.entrySet().stream()
        .allMatch(each -> contains(values.get(each.getKey()), each.getValue()));
  }

  private static boolean contains(Attribute found, Attribute wanted) {
    if (found == null) return false;
    if (found instanceof Attribute.OfTexts f && wanted instanceof Attribute.OfTexts w)
      return f.values().containsAll(w.values());
    Optional<BigDecimal> number = number(found);
    return number.isPresent()
        ? number(wanted).filter(w -> w.compareTo(number.get()) == 0).isPresent()
        : found.equals(wanted);
  }

  private static Optional<BigDecimal> number(Attribute attribute) {
    return switch (attribute) {
      case Attribute.OfLong number -> Optional.of(BigDecimal.valueOf(number.value()));
      case Attribute.OfDouble number -> Optional.of(BigDecimal.valueOf(number.value()));
      case Attribute.OfText text -> Optional.empty();
      case Attribute.OfBoolean truth -> Optional.empty();
      case Attribute.OfInstant time -> Optional.empty();
      case Attribute.OfTexts texts -> Optional.empty();
      case Attribute.Removed removed -> Optional.empty();
    };
  }

  /** Instants stand in a row in their written form. */
  private static Attribute asKept(String name, Attribute attribute) {
    return attribute instanceof Attribute.OfInstant time
        ? new Attribute.OfText(time.value().toString())
        : attribute;
  }
}
