// The syntax tree of a script.

export interface Word {
  readonly parts: readonly Part[]
}

export type Part =
  | { readonly type: 'text'; readonly text: string; readonly isQuoted: boolean }
  | { readonly type: 'variable'; readonly name: string; readonly operator?: string; readonly argument?: Word; readonly isQuoted: boolean }
  | { readonly type: 'command'; readonly script: Node; readonly isQuoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Word; readonly isQuoted: boolean }

export interface Redirect {
  readonly descriptor: number
  readonly operator: '>' | '>>' | '<' | '>&' | '<<' | '<<<'
  readonly target: Word
}

export interface Simple {
  readonly kind: 'simple'
  readonly assignments: readonly { readonly name: string; readonly value: Word }[]
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
}

/** `size`: the number of words. */
export interface FunctionNode {
  readonly kind: 'function'
  readonly name: string
  readonly body: Node
  readonly size: number
}

export type Node =
  | Simple
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'background'; readonly body: Node }
  | { readonly kind: 'and' | 'or'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'not'; readonly body: Node }
  | { readonly kind: 'pipe'; readonly stages: readonly Node[] }
  | { readonly kind: 'if'; readonly branches: readonly { readonly condition: Node; readonly body: Node }[]; readonly otherwise?: Node }
  | { readonly kind: 'while'; readonly isUntil: boolean; readonly condition: Node; readonly body: Node }
  | { readonly kind: 'for'; readonly name: string; readonly words?: readonly Word[]; readonly body: Node }
  | {
      readonly kind: 'case'
      readonly word: Word
      readonly items: readonly { readonly patterns: readonly Word[]; readonly body: Node }[]
    }
  | { readonly kind: 'group' | 'subshell'; readonly body: Node; readonly redirects: readonly Redirect[] }
  | FunctionNode

/** The script is not valid. */
export class ShellSyntaxError extends Error {}

const maxDepth = 100
const maxTokens = 20_000

/** Limits the nesting and the size of one script. */
export class Reading {
  #depth = 0
  #tokens = 0

  /** Parses one level of nesting. */
  nest<T>(read: () => T): T {
    if (++this.#depth > maxDepth) throw new ShellSyntaxError('syntax error: nested too deeply')
    try {
      return read()
    } finally {
      this.#depth--
    }
  }

  countToken(): void {
    if (++this.#tokens > maxTokens) throw new ShellSyntaxError(`script too long: more than ${maxTokens} words`)
  }
}
