/** Which nodes there are, for forming one cluster and no second one. */
package dev.tenure.persistence.membership;
