/** The documents that programs are made of, where a program is not code. */
package dev.tenure.persistence.definition;
