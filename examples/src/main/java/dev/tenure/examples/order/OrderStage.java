package dev.tenure.examples.order;

/** How far an order has come. */
public enum OrderStage {
  RECEIVED,
  WAITING_FOR_APPROVAL,
  PAYING,
  SHIPPING,
  SHIPPED
}
