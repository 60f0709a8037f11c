/** What was committed, as recovery reads it. */
package dev.tenure.persistence.journal;
