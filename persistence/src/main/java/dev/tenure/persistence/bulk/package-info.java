/** Orders to many workflows: proposed, confirmed, and carried out by one node at a time. */
package dev.tenure.persistence.bulk;
