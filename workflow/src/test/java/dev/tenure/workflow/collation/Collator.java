package dev.tenure.workflow.collation;

import dev.tenure.workflow.collation.GuidLedger.Step2;

/** The operations under test, so that a canary can break one of them. */
interface Collator {
  Collator GENUINE = new Collator() {};

  default Reentry next(Transition message) {
    return message.next();
  }

  default Mark<Transition> enter(Transition message) {
    return message.enter();
  }

  default Mark<Transition> completeLeg1(Transition message) {
    return message.completeLeg1();
  }

  default Mark<Transition> work(Transition message) {
    return message.work();
  }

  default Mark<Transition> spawn(Transition message, int children, Parent parent) {
    return message.spawn(children, parent);
  }

  default Mark<Transition> completeJob(Transition message) {
    return message.completeJob();
  }

  default Mark<Step2> interruptJob(GuidLedger message, JobSemaphore semaphore) {
    return message.interruptJob(semaphore);
  }
}
