package dev.tenure.house.canary.persistence;

import javax.sql.DataSource;

/** Breaks the house rules on purpose: it hands out connections, outside of the adapter. */
interface Connected {
  DataSource dataSource();
}
