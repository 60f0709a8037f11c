/** Activities that run on the owner's node: registered code, under limits of its own. */
package dev.tenure.sharding.activity;
