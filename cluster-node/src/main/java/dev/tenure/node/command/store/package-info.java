/** Commands that read a store, or what was taken out of one, and need no server. */
package dev.tenure.node.command.store;
