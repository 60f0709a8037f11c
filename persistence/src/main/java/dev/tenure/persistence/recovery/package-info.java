/** Which workflows were at work when their nodes were lost, and made no progress since. */
package dev.tenure.persistence.recovery;
