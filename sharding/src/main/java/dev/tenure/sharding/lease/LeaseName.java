package dev.tenure.sharding.lease;

/** What Cluster Sharding calls the lease of a shard: {@code <system>-shard-<type>-<shard>}. */
record LeaseName(String typeName, int shard) {
  static LeaseName parse(String systemName, String name) {
    String prefix = systemName + "-shard-";
    // A type's name may contain the separator, a shard's number cannot.
    int end = name.lastIndexOf('-');
    if (!name.startsWith(prefix) || end < prefix.length()) {
      throw new IllegalArgumentException("'" + name + "' is not the lease of a shard");
    }
    String shard = name.substring(end + 1);
    try {
      return new LeaseName(name.substring(prefix.length(), end), Integer.parseUnsignedInt(shard));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'%s' is not a shard's number: shards must be numbered by ShardOf".formatted(shard), e);
    }
  }
}
