package dev.tenure.examples.order;

/** What is to be shipped, and where to. */
public record Parcel(String reservation, String address) {}
