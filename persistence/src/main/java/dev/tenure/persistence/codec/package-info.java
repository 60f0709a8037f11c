/** The bytes of events: each with a version of its own, written by hand. */
package dev.tenure.persistence.codec;
