/** Closed runs outside of the store: in a file that can be shown, replayed and verified alone. */
package dev.tenure.persistence.archive;
