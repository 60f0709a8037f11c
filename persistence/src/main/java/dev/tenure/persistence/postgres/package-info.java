/** The storage in PostgreSQL: all SQL of the engine, its tables and its connections. */
package dev.tenure.persistence.postgres;
