package dev.tenure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.order.Order;
import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.catalog.Registrations;
import org.junit.jupiter.api.Test;

class ExampleWorkflowsTest {
  @Test
  void aNodeWithTheExamplesOnItsClassPathFindsAllOfThem() {
    Catalog found = new Registrations().modulesOf(getClass().getClassLoader()).catalog();
    assertThat(found)
        .hasToString(
            "welcome v1, order v1, subscription v1, invoice-run v1, office-order v1, expense v1,"
                + " counter v1");
    assertThat(found.activities())
        .singleElement()
        .satisfies(activity -> assertThat(activity.definition()).isEqualTo(Order.SHIP));
  }

  @Test
  void eachRunGetsAnObjectOfItsOwn() {
    Catalog found = new Registrations().module(new ExampleWorkflows()).catalog();
    assertThat(found.workflows())
        .allSatisfy(
            each -> assertThat(each.factory().create()).isNotSameAs(each.factory().create()));
  }
}
