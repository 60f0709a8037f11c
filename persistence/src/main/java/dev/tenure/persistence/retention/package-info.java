/** How closed workflows leave the store, with all that is theirs. */
package dev.tenure.persistence.retention;
