// Determines the types of an expression, and reports errors.
// Kubernetes: github.com/google/cel-go/checker.checker.*
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  errorType,
  int,
  listOf,
  mapOf,
  optionalElement,
  optionalOf,
  param,
  string,
  timestamp,
  typeName,
  uint,
} from '../cel-type.ts'
import { type Functions, global, member, type Overload } from '../functions.ts'
import type { Problem } from '../syntax.ts'
import { literalType, namedTypes } from '../type-rules.ts'
import type { Call, Comprehension, Expression, ListLiteral, MapLiteral, Selection, StructLiteral } from './expression.ts'
import { isSameType, moreGeneral, TypeVariables } from './unification.ts'

// The signatures of operators that have no implementation in the libraries, because they do not evaluate all of their operands or because
// macros add them.
// Kubernetes: github.com/google/cel-go/common/stdlib.Functions
const [A, B, K, V] = [param('A'), param('B'), param('K'), param('V')]
const none = () => undefined
const signature = (args: readonly CelType[], result: CelType) => global(args, result, none)
const logic = [signature([bool, bool], bool)]

const operators: Functions = {
  '_&&_': logic,
  '_||_': logic,
  '_?_:_': [signature([bool, A, A], A)],
  '@not_strictly_false': [signature([bool], bool)],
  '_[_]': [
    signature([listOf(A), int], A),
    signature([mapOf(A, B), A], B),
    signature([optionalOf(listOf(V)), int], optionalOf(V)),
    signature([optionalOf(mapOf(K, V)), K], optionalOf(V)),
  ],
  '_[?_]': [
    signature([listOf(V), int], optionalOf(V)),
    signature([optionalOf(listOf(V)), int], optionalOf(V)),
    signature([mapOf(K, V), K], optionalOf(V)),
    signature([optionalOf(mapOf(K, V)), K], optionalOf(V)),
  ],
  'cel.@mapInsert': [signature([mapOf(K, V), K, V], mapOf(K, V)), signature([mapOf(K, V), mapOf(K, V)], mapOf(K, V))],
  '@sortByAssociatedKeys': [int, uint, double, bool, duration, timestamp, string, bytes].map((type) =>
    member([listOf(A), listOf(type)], listOf(A), none),
  ),
}

export interface Names {
  readonly variables: ReadonlyMap<string, CelType>
  readonly functions: Functions
  /** Types that a struct literal may name. */
  structOf?(name: string): CelType | undefined
}

const isWild = ({ kind }: CelType) => kind === 'dyn' || kind === 'error'

export class Checker {
  readonly problems: Problem[] = []
  /** The variables of the environment that the expression reads. */
  readonly variablesRead = new Set<string>()
  readonly #names: Names
  readonly #types = new TypeVariables()
  readonly #scopes: (readonly [string, CelType])[] = []
  readonly #checked: Expression[] = []

  constructor(names: Names) {
    this.#names = names
  }

  /** Sets the types of all parts, and returns the parts. */
  check(expression: Expression): readonly Expression[] {
    this.#check(expression)
    for (const part of this.#checked) part.type = this.#types.resolve(part.type, true)
    return this.#checked
  }

  #check(expression: Expression): CelType {
    const type = this.#typeOf(expression)
    this.#types.limitSize(type)
    expression.type = type
    this.#checked.push(expression)
    return type
  }

  #fail(at: number, message: string): CelType {
    this.problems.push({ at, message })
    return errorType
  }

  #undeclared(at: number, name: string): CelType {
    return this.#fail(at, `undeclared reference to '${name}' (in container '')`)
  }

  #mismatch(at: number, wanted: CelType, found: CelType): CelType {
    return this.#fail(at, `expected type '${typeName(wanted)}' but found '${typeName(found)}'`)
  }

  #typeOf(expression: Expression): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value)
      case 'ident':
        return this.#lookup(expression.name) ?? this.#undeclared(expression.at, expression.name)
      case 'select':
        return this.#select(expression)
      case 'call':
        return this.#call(expression)
      case 'list':
        return this.#list(expression)
      case 'map':
        return this.#map(expression)
      case 'struct':
        return this.#struct(expression)
      case 'comprehension':
        return this.#comprehension(expression)
    }
  }

  #lookup(name: string): CelType | undefined {
    const local = this.#scopes.findLast(([known]) => known === name)
    if (local !== undefined) return local[1]
    const variable = this.#names.variables.get(name)
    if (variable !== undefined) this.variablesRead.add(name)
    const type = variable === undefined ? namedTypes.get(name) : undefined
    return type === undefined ? variable : { kind: 'type', of: type }
  }

  #select(expression: Selection): CelType {
    const whole = expression.qualifiedName === undefined ? undefined : this.#lookup(expression.qualifiedName)
    if (whole !== undefined) {
      expression.isName = true
      return whole
    }
    const type = this.#fieldType(expression.at, expression.operand, expression.field, false)
    return expression.testOnly ? bool : this.#types.resolve(type)
  }

  #fieldType(at: number, operand: Expression, field: string, isOptional: boolean): CelType {
    const type = this.#types.resolve(this.#check(operand))
    const element = optionalElement(type)
    const result = this.#fieldOf(at, element ?? type, field)
    return isOptional || element !== undefined ? optionalOf(result) : result
  }

  #fieldOf(at: number, type: CelType, field: string): CelType {
    if (type.kind === 'map') return type.of
    if (type.kind === 'object') return type.fieldOf(field)?.type ?? this.#fail(at, `undefined field '${field}'`)
    // Kubernetes declares its own types as structs without fields.
    if (type.kind === 'opaque' && type.name.startsWith('kubernetes.'))
      return this.#fail(at, `unexpected failed resolution of '${type.name}'`)
    if (type.kind === 'param') this.#types.fit([dyn], [type])
    else if (!isWild(type)) this.#fail(at, `type '${typeName(type)}' does not support field selection`)
    return dyn
  }

  #call(expression: Call): CelType {
    const { at, name, args, target } = expression
    if (name === '_?._') {
      const [operand, field] = args as [Expression, Extract<Expression, { kind: 'literal' }>]
      return this.#types.resolve(this.#fieldType(at, operand, field.value as string, true))
    }
    for (const arg of args) this.#check(arg)
    if (target === undefined) return this.#resolve(expression, this.#overloadsOf(name))
    const prefix = target.kind === 'ident' ? target.name : target.kind === 'select' ? target.qualifiedName : undefined
    const namespaced = prefix === undefined ? undefined : this.#overloadsOf(`${prefix}.${name}`)
    if (namespaced !== undefined) {
      expression.name = `${prefix}.${name}`
      expression.target = undefined
      return this.#resolve(expression, namespaced)
    }
    this.#check(target)
    return this.#resolve(expression, this.#overloadsOf(name))
  }

  #overloadsOf(name: string): readonly Overload[] | undefined {
    if (Object.hasOwn(operators, name)) return operators[name]
    return Object.hasOwn(this.#names.functions, name) ? this.#names.functions[name] : undefined
  }

  #resolve(expression: Call, overloads: readonly Overload[] | undefined): CelType {
    const { at, name, target, args } = expression
    if (overloads === undefined) return this.#undeclared(at, name)
    if (name === '_&&_' || name === '_||_') {
      expression.overloads = overloads
      const wrong = args.filter((arg) => !this.#types.fit([arg.type], [bool]))
      for (const arg of wrong) this.#mismatch(arg.at, bool, arg.type)
      return wrong.length > 0 ? errorType : bool
    }
    const given = [...(target === undefined ? [] : [target.type]), ...args.map(({ type }) => type)]
    const matching: Overload[] = []
    let result: CelType | undefined
    for (const overload of overloads) {
      if (overload.isMember !== (target !== undefined)) continue
      const [wanted, returned] = this.#fresh(overload)
      if (!this.#types.fit(given, wanted)) continue
      matching.push(overload)
      const type = this.#types.resolve(returned)
      if (result === undefined) result = type
      else if (result.kind !== 'dyn' && !isSameType(type, result)) result = dyn
    }
    expression.overloads = matching
    if (result !== undefined) return result
    const shown = given.map((type) => typeName(this.#types.resolve(type, true)))
    const signature = target === undefined ? `(${shown.join(', ')})` : `${shown[0]}.(${shown.slice(1).join(', ')})`
    return this.#fail(at, `found no matching overload for '${name}' applied to '${signature}'`)
  }

  /** The signature with variables of its own. */
  #fresh({ args, result }: Overload): [readonly CelType[], CelType] {
    const variables = new Map<string, CelType>()
    const replace = (type: CelType): CelType => {
      if (type.kind === 'list') return listOf(replace(type.of), type.listType)
      if (type.kind === 'map') return mapOf(replace(type.key), replace(type.of))
      if (type.kind === 'opaque' && type.parameters.length > 0) return { ...type, parameters: type.parameters.map(replace) }
      if (type.kind === 'type' && type.of !== undefined) return { kind: 'type', of: replace(type.of) }
      if (type.kind !== 'param') return type
      const made = variables.get(type.name) ?? this.#types.make()
      variables.set(type.name, made)
      return made
    }
    return [args.map(replace), replace(result)]
  }

  /** The type of an optional item: `[?x]` adds the value in x, if there is one. */
  #item(value: Expression, isOptional: boolean): CelType {
    const type = this.#check(value)
    if (!isOptional) return type
    const element = optionalElement(type)
    if (element === undefined && type.kind !== 'dyn') this.#mismatch(value.at, optionalOf(type), type)
    return element ?? type
  }

  /** Items of several types are dyn here. Most literals may have items of one type only, which is checked later (./literal-rules.ts). */
  #join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type
    return this.#types.fit([before], [type]) ? moreGeneral(before, type) : dyn
  }

  #list({ items, optionals }: ListLiteral): CelType {
    let common: CelType | undefined
    for (const [at, item] of items.entries()) common = this.#join(common, this.#item(item, optionals.has(at)))
    return listOf(common ?? this.#types.make())
  }

  #map({ entries }: MapLiteral): CelType {
    let key: CelType | undefined
    let of: CelType | undefined
    for (const entry of entries) {
      key = this.#join(key, this.#check(entry.key))
      of = this.#join(of, this.#item(entry.value, entry.optional))
    }
    return mapOf(key ?? this.#types.make(), of ?? this.#types.make())
  }

  #struct({ at, name, fields }: StructLiteral): CelType {
    const type = this.#names.structOf?.(name)
    if (type?.kind !== 'object') return this.#undeclared(at, name)
    for (const field of fields) {
      const given = this.#item(field.value, field.optional)
      const declared = type.fieldOf(field.name)?.type
      if (declared === undefined) this.#fail(field.at, `undefined field '${field.name}'`)
      else if (!this.#types.fit([declared], [given]))
        this.#fail(field.at, `expected type of field '${field.name}' is '${typeName(declared)}' but provided type is '${typeName(given)}'`)
    }
    return type
  }

  #comprehension(expression: Comprehension): CelType {
    const { accumulator, variables } = expression
    this.#check(expression.range)
    const initial = this.#check(expression.initial)
    const range = this.#types.resolve(expression.range.type)
    this.#scopes.push([accumulator, initial])
    const types = this.#variableTypes(expression, range)
    for (const [at, name] of variables.entries()) this.#scopes.push([name, types[at]!])
    this.#assert(expression.condition, bool)
    this.#assert(expression.step, initial)
    this.#scopes.length -= variables.length
    const result = this.#check(expression.result)
    this.#scopes.length--
    return this.#types.resolve(result)
  }

  #variableTypes({ range: { at }, variables }: Comprehension, range: CelType): readonly CelType[] {
    const isPair = variables.length > 1
    switch (range.kind) {
      case 'list':
        return isPair ? [int, range.of] : [range.of]
      case 'map':
        return [range.key, range.of]
      case 'dyn':
      case 'error':
      case 'param':
        this.#types.fit([dyn], [range])
        return [dyn, dyn]
      default: {
        const message = `expression of type '${typeName(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`
        return [this.#fail(at, message), errorType]
      }
    }
  }

  #assert(expression: Expression, wanted: CelType): void {
    const type = this.#check(expression)
    if (!this.#types.fit([wanted], [type])) this.#mismatch(expression.at, wanted, type)
  }
}
