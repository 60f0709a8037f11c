/**
 * What one commit of one workflow stores: its row of the journal and the rows beside it, under the
 * fence of its owner.
 */
package dev.tenure.persistence.commit;
