/** A PostgreSQL of one's own, for development, tests and benchmarks. */
package dev.tenure.persistence.embedded;
