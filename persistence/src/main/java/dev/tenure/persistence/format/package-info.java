/** Which formats of stored records an engine reads, and which it may write beside older engines. */
package dev.tenure.persistence.format;
