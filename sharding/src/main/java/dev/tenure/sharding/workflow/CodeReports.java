package dev.tenure.sharding.workflow;

import dev.tenure.sharding.code.CodeListener;
import dev.tenure.sharding.code.CodeProgram;
import dev.tenure.sharding.code.Inquiry;
import dev.tenure.sharding.code.StepEnd;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Wishes;

/** What the code reports on its own threads, as messages to its owner. */
record CodeReports(Owner.Self self, Results results) implements CodeListener, Inquiry.Answer {
  @Override
  public void advanced(CodeProgram program, Wishes wishes) {
    self.tell(new Message.Advanced(program, wishes));
  }

  @Override
  public void stepEnded(CodeProgram program, StepEnd end) {
    if (end.ahead().isPresent()) self.tell(new Message.Ahead(program, end));
    else results.add(new Command.AttemptEnded(end.operation(), end.attempt(), end.outcome()));
  }

  @Override
  public void broken(CodeProgram program, Throwable why) {
    self.tell(new Message.Broken(program, why));
  }

  @Override
  public void answered(CodeProgram program, Inquiry.Reply reply) {
    self.tell(new Message.Queried(program, reply));
  }
}
