/**
 * Activities that call a URL, and what asks a URL whether they took effect. All of them send
 * through one {@code OutboundHttp}, which connects only to what its policy permits.
 */
package dev.tenure.activities.http;
