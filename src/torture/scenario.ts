// What is tested: how the program is started, what the cluster has before it starts, and what then happens step by step.

/** `file` is applied, and the objects in `delete` are deleted. */
export type ScenarioStep =
  | { readonly type: 'apply' | 'delete'; readonly name: string; readonly text: string }
  | { readonly type: 'shell'; readonly command: string }

export interface Scenario {
  /** A shell command. KUBECONFIG is set. */
  readonly run: string
  readonly directory: string
  readonly setup: readonly ScenarioStep[]
  readonly steps: readonly ScenarioStep[]
  /** CEL: must hold after every change. */
  readonly always: readonly string[]
  /** CEL: must hold at the end. */
  readonly finally: readonly string[]
  readonly nodes: number
  readonly controllers: 'all' | readonly string[]
}

export const describeStep = (step: ScenarioStep): string => (step.type === 'shell' ? step.command : `${step.type} ${step.name}`)
