// Control flow in a shell: compound commands, functions, subshells and traps, with an explicit stack.
import type { WorkBudget } from '../work-budget.ts'
import { expandPattern, expandText, expandWords } from './expansion.ts'
import type { Files } from './files.ts'
import type { Frame, Machine } from './machine.ts'
import { parseScript } from './parser.ts'
import { isMatch } from './pattern.ts'
import { ShellState } from './shell-state.ts'
import { type FunctionNode, type Node, ShellSyntaxError, type Simple } from './syntax.ts'

export const maxCallDepth = 200
const maxFunctionsSize = 20_000

/** These frames restore the earlier state when they end. */
const isCall = ({ type }: Frame) => type === 'call' || type === 'subshell' || type === 'trap'

export abstract class ShellControl extends ShellState {
  exit: { readonly code: number; readonly atMs: number } | undefined
  control: Node | undefined
  frames: Frame | undefined
  functions: Map<string, FunctionNode>
  traps: Map<string, string>
  callDepth = 0

  constructor(machine: Machine, files: Files, work: WorkBudget) {
    super(machine, files, work)
    this.exit = machine.exit
    this.control = machine.control
    this.frames = machine.frames
    this.functions = new Map(machine.functions)
    this.traps = new Map(machine.traps)
    let frames = 0
    for (let frame = machine.frames; frame !== undefined; frame = frame.next, frames++) if (isCall(frame)) this.callDepth++
    work.add(frames / 100)
  }

  protected abstract startJob(body: Node): void
  protected abstract runPipe(stages: readonly Node[]): void
  protected abstract runSimple(node: Simple): void

  /** Runs the script next. Parsing is charged as work, whether the tree is cached or not. */
  enter(script: string): void {
    this.work.spend(5 + script.length / 2)
    this.control = parseScript(script)
  }

  /** Ends the script, after its EXIT trap. */
  finish(code: number): void {
    const action = this.traps.get('EXIT')
    if (action) {
      this.traps.delete('EXIT')
      this.frames = { type: 'exit', code, next: undefined }
      this.enter(action)
      return
    }
    this.exit = { code: code & 255, atMs: this.timeMs }
  }

  /** `exit`: ends the innermost subshell, or the script. */
  leaveShell(code: number): void {
    this.control = undefined
    const frame = this.unwind(({ type }) => type === 'subshell')
    this.status = code & 255
    if (frame !== undefined) this.leave(frame)
    else this.finish(code)
  }

  /** Removes the frames down to the first that matches, and returns it. */
  unwind(isWanted: (frame: Frame) => boolean): Frame | undefined {
    let frame = this.frames
    for (; frame !== undefined && !isWanted(frame); frame = frame.next) {
      if (frame.type === 'sinks') this.sinks = frame.sinks
      if (frame.type === 'call') this.positional = frame.positional
      if (isCall(frame)) this.callDepth--
    }
    this.frames = frame
    return frame
  }

  evaluate(node: Node): void {
    const next = this.frames
    switch (node.kind) {
      case 'simple':
        this.runSimple(node)
        return
      case 'list':
        if (node.items.length > 0) this.frames = { type: 'list', items: node.items, at: 0, next }
        return
      case 'background':
        this.startJob(node.body)
        return
      case 'and':
      case 'or':
        this.frames = { type: node.kind, right: node.right, next }
        this.control = node.left
        return
      case 'not':
        this.frames = { type: 'not', next }
        this.control = node.body
        return
      case 'pipe':
        this.runPipe(node.stages)
        return
      case 'if':
        this.frames = { type: 'if', node, at: 0, next }
        this.control = node.branches[0]!.condition
        return
      case 'while':
        this.frames = { type: 'while', node, isInBody: false, status: 0, next }
        this.control = node.condition
        return
      case 'for':
        this.frames = { type: 'for', node, values: node.words ? expandWords(node.words, this) : this.positional, at: 0, next }
        this.status = 0
        return
      case 'case': {
        const text = expandText(node.word, this)
        const item = node.items.find(({ patterns }) => patterns.some((pattern) => isMatch(text, expandPattern(pattern, this), this.work)))
        this.status = 0
        this.control = item?.body
        return
      }
      case 'group':
      case 'subshell':
        this.frames = { type: 'sinks', sinks: this.sinks, next }
        this.redirect(node.redirects)
        if (node.kind === 'subshell') this.enterSubshell()
        this.control = node.body
        return
      case 'function':
        this.#define(node)
        this.status = 0
        return
    }
  }

  #define(node: FunctionNode): void {
    let size = node.size
    for (const [name, known] of this.functions) if (name !== node.name) size += known.size
    this.work.spend(1 + this.functions.size / 20)
    if (size > maxFunctionsSize) throw new ShellSyntaxError(`${node.name}: out of memory`)
    this.functions.set(node.name, node)
  }

  /** Changes from here on are undone when the subshell ends. */
  enterSubshell(): void {
    this.deepen('subshell')
    this.work.spend(2 + this.variables.size / 10)
    const variables = new Map(this.variables)
    this.frames = { type: 'subshell', variables, directory: this.directory, traps: new Map(this.traps), next: this.frames }
    this.traps.clear()
  }

  deepen(name: string): void {
    if (++this.callDepth > maxCallDepth) throw new ShellSyntaxError(`${name}: too many nested calls`)
  }

  leave(frame: Frame): void {
    const { next } = frame
    this.frames = next
    if (isCall(frame)) this.callDepth--
    switch (frame.type) {
      case 'list':
        if (frame.at >= frame.items.length) return
        this.frames = frame.at + 1 < frame.items.length ? { ...frame, at: frame.at + 1 } : next
        this.control = frame.items[frame.at]
        return
      case 'and':
        if (this.status === 0) this.control = frame.right
        return
      case 'or':
        if (this.status !== 0) this.control = frame.right
        return
      case 'not':
        this.status = this.status === 0 ? 1 : 0
        return
      case 'if': {
        const { branches, otherwise } = frame.node
        if (this.status === 0) this.control = branches[frame.at]!.body
        else if (frame.at + 1 < branches.length) {
          this.frames = { ...frame, at: frame.at + 1 }
          this.control = branches[frame.at + 1]!.condition
        } else {
          this.status = 0
          this.control = otherwise
        }
        return
      }
      case 'while':
        if (frame.isInBody) {
          this.frames = { ...frame, isInBody: false, status: this.status }
          this.control = frame.node.condition
        } else if ((this.status === 0) !== frame.node.isUntil) {
          this.frames = { ...frame, isInBody: true }
          this.control = frame.node.body
        } else this.status = frame.status
        return
      case 'for':
        if (frame.at >= frame.values.length) return
        this.set(frame.node.name, frame.values[frame.at]!)
        this.frames = { ...frame, at: frame.at + 1 }
        this.control = frame.node.body
        return
      case 'call':
        this.positional = frame.positional
        return
      case 'subshell':
        this.variables = new Map(frame.variables)
        this.directory = frame.directory
        this.traps = new Map(frame.traps)
        this.stopIfFailed()
        return
      case 'sinks':
        this.sinks = frame.sinks
        return
      case 'trap':
        this.status = frame.status
        return
      case 'exit':
        this.exit = { code: frame.code & 255, atMs: this.timeMs }
    }
  }

  /** `set -e`: a failure ends the shell, unless it is the condition of another command. */
  stopIfFailed(): void {
    if (this.status === 0 || !this.options.has('e') || this.exit !== undefined) return
    for (let frame = this.frames; frame !== undefined; frame = frame.next) {
      const { type } = frame
      if (type === 'and' || type === 'or' || type === 'not' || type === 'if' || (type === 'while' && !frame.isInBody)) return
    }
    this.leaveShell(this.status)
  }
}
