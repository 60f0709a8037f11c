package dev.tenure.sharding.run;

import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramReports;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Wishes;

/** Turns the reports of a program's run, from its own threads, into messages to the owner. */
record CodeReports(Owner.Self self, IncomingResults results) implements ProgramReports {
  @Override
  public void advanced(ProgramRun program, Wishes wishes) {
    self.tell(new Message.Advanced(program, wishes));
  }

  @Override
  public void stepEnded(ProgramRun program, StepEnd end) {
    if (end.ahead().isPresent()) self.tell(new Message.Ahead(program, end));
    else results.add(new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome()));
  }

  @Override
  public void broken(ProgramRun program, Throwable why) {
    self.tell(new Message.Broken(program, why));
  }

  @Override
  public void answered(ProgramRun program, Inquiry.Reply reply) {
    self.tell(new Message.Queried(program, reply));
  }
}
