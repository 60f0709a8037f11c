/** What is kept for a time only, and who removes it. */
package dev.tenure.sharding.retention;
