/** How the activities and verifiers here write and read JSON. */
package dev.tenure.activities.json;
