package dev.tenure.examples.office;

import java.util.List;

/** What an office gets, and what it does not. */
public record Delivery(List<String> parcels, List<String> problems) {
  public Delivery {
    parcels = List.copyOf(parcels);
    problems = List.copyOf(problems);
  }
}
