// Kubernetes: github.com/google/cel-go/common/types.NewErr, NoSuchOverloadErr
/** The evaluation failed. The message is cel-go's. */
export class EvaluationError extends Error {}

/** The expression used up its budget. Unlike other failures, `&&` and `||` do not absorb it. */
export class CostExceededError extends EvaluationError {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** A part of the expression that has always the same value cannot be evaluated: `int('a')`. */
export class InstantiationError extends Error {}
