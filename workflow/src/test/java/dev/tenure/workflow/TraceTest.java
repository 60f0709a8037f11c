package dev.tenure.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
  private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN_ID = "00f067aa0ba902b7";
  private static final String HEADER = "00-" + TRACE_ID + "-" + SPAN_ID + "-01";

  @Test
  void aHeaderIsReadAndWrittenAsItCame() {
    Trace trace = Trace.of(HEADER).orElseThrow();
    assertThat(trace).isEqualTo(new Trace(TRACE_ID, SPAN_ID, "01"));
    assertThat(trace.traceparent()).isEqualTo(HEADER);
    assertThat(trace.isSampled()).isTrue();
    assertThat(new Trace(TRACE_ID, SPAN_ID, "02").isSampled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        "00-٤bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      })
  void aMalformedHeaderIsNone(String header) {
    assertThat(Trace.of(header)).isEmpty();
  }

  @Test
  void aLaterVersionIsReadAsFarAsItIsKnown() {
    assertThat(Trace.of("01-" + TRACE_ID + "-" + SPAN_ID + "-01-what comes later"))
        .contains(new Trace(TRACE_ID, SPAN_ID, "01"));
    assertThat(Trace.of("cc-" + TRACE_ID + "-" + SPAN_ID + "-00")).isPresent();
  }

  @Test
  void whatIsMadeByHandIsHeldToTheSameRules() {
    assertThatThrownBy(() -> new Trace("0".repeat(32), SPAN_ID, "00"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("trace id");
    assertThatThrownBy(() -> new Trace(TRACE_ID, "x", "00")).hasMessageContaining("span id");
    assertThatThrownBy(() -> new Trace(TRACE_ID, SPAN_ID, "001")).hasMessageContaining("flags");
  }

  @Test
  void aSpanBelowIsTheSameForTheSameName() {
    Trace trace = Trace.of(HEADER).orElseThrow();
    Trace charge = trace.span("charge#1");
    assertThat(charge.traceId()).isEqualTo(TRACE_ID);
    assertThat(charge.flags()).isEqualTo("01");
    assertThat(charge.spanId()).isNotEqualTo(SPAN_ID).isEqualTo(trace.span("charge#1").spanId());
    assertThat(trace.span("charge#2")).isNotEqualTo(charge);
  }
}
