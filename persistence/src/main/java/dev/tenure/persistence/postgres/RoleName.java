package dev.tenure.persistence.postgres;

import java.util.regex.Pattern;

/**
 * The name of a database role that becomes part of a migration's SQL. What could mean something
 * else there than one ordinary role is refused.
 */
record RoleName(String value) {
  static final int MAX_BYTES = 63;

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z_][A-Za-z0-9_$@.-]*");

  RoleName {
    if (!ALLOWED.matcher(value).matches() || value.length() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "'%s' is not a usable role name: at most %d of the characters A-Z a-z 0-9 _ $ @ . -, beginning with a letter or _"
              .formatted(shortened(value), MAX_BYTES));
    }
    // Even in quotes, PostgreSQL reads `public` as all roles and `none` as no role.
    if (value.equals("public") || value.equals("none") || value.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "'" + value + "' is reserved by PostgreSQL: use a role of the engine's own");
    }
  }

  /** As it stands in SQL. */
  String quoted() {
    return '"' + value + '"';
  }

  private static String shortened(String value) {
    return value.length() <= MAX_BYTES ? value : value.substring(0, MAX_BYTES) + "…";
  }
}
