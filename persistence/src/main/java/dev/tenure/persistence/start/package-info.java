/** Which workflow the key of a start belongs to. */
package dev.tenure.persistence.start;
