/** What lists, searches and wake-ups know of workflows. */
package dev.tenure.persistence.visibility;
