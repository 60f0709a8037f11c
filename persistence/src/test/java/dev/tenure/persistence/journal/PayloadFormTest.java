package dev.tenure.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadFormTest {
  @Test
  void anEntryIsItsManifestAlone() {
    assertThat(new PayloadForm(740_001, "s").column()).isEqualTo("s");
    assertThat(new PayloadForm(740_001, JournalRow.BEGINS_RUN).column())
        .isEqualTo(JournalRow.BEGINS_RUN);
  }

  @Test
  void everyFormComesBack() {
    for (PayloadForm form :
        List.of(
            new PayloadForm(740_001, "s"),
            new PayloadForm(730_001, "b"),
            new PayloadForm(7, ""),
            new PayloadForm(-2, "com.acme.Event:2"),
            new PayloadForm(7, "s"))) {
      assertThat(PayloadForm.ofColumn(form.column())).isEqualTo(form);
    }
  }

  @Test
  void whatNobodyWroteIsLeftToTheSerializerOfEntries() {
    for (String column : List.of("", ":", "x:y", ":s", "99999999999:s"))
      assertThat(PayloadForm.ofColumn(column)).isEqualTo(new PayloadForm(740_001, column));
  }
}
