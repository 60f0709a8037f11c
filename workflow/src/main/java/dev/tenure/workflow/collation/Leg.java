package dev.tenure.workflow.collation;

/** The half of an activity that a message asks for: the request, or the response to it. */
public enum Leg {
  LEG1,
  LEG2
}
