/**
 * Verifiers that look into a database of the application's own, and the table that makes an effect
 * in such a database provable.
 */
package dev.tenure.activities.row;
