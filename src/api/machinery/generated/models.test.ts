import { describe, expect, it } from 'vitest'
import { groupBy } from '../../../base/maps.ts'
import { allStructNames, type Field, type FieldType, type Scalar, type Struct, structOf } from '../schema/schema.ts'

const scalarTypes: Readonly<Record<Scalar, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  float64: 'number',
  bytes: 'string',
  Time: 'string',
  MicroTime: 'string',
  Quantity: 'string',
  IntOrString: 'number | string',
  any: 'unknown',
}

/** `autoscaling/v2` is the namespace autoscalingV2. */
const namespaceOf = (name: string) => name.slice(0, name.indexOf('.')).replace(/\/(.)/, (_, letter: string) => letter.toUpperCase())

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'scalar':
      return scalarTypes[type.scalar]
    case 'struct':
      return `${namespaceOf(type.name)}.${type.name.slice(type.name.indexOf('.') + 1)}`
    case 'list':
      return type.of.kind === 'scalar' && type.of.scalar === 'IntOrString'
        ? `readonly (${typeOf(type.of)})[]`
        : `readonly ${typeOf(type.of)}[]`
    case 'map':
      return `{ readonly [key: string]: ${typeOf(type.of)} }`
  }
}

/** A field that Kubernetes requires may still be left out where Go would leave it out: an object lacks it while it is being written. */
function fieldLine({ name, type, required, always, or, enum: values, isProposal }: Field): string {
  const key = /^[\w$]+$/.test(name) ? name : `'${name}'`
  const own = isProposal && values !== undefined ? values.map((value) => `'${value}'`).join(' | ') : typeOf(type)
  const others = or === undefined ? '' : or === 'bool' ? ' | boolean' : ` | readonly ${own}[]`
  return `    readonly ${key}${required && always ? '' : '?'}: ${own}${others}\n`
}

const interfaceOf = ({ goName, fields, typeMeta }: Struct) =>
  `  export interface ${goName} {\n${typeMeta ? '    readonly apiVersion?: string\n    readonly kind?: string\n' : ''}${fields.map(fieldLine).join('')}  }\n`

function modelsText(): string {
  const namespaces = groupBy(allStructNames(), namespaceOf)
  const parts = [...namespaces].map(
    ([name, structs]) => `export namespace ${name} {\n${structs.map((one) => interfaceOf(structOf(one))).join('')}}\n`,
  )
  return `// The types of the Kubernetes API in their JSON form, with the fields of the proposals: a namespace for each group and version. Written from the
// table of types by its test: vitest run src/api/machinery/generated/models.test.ts -u

${parts.join('\n')}`
}

describe('models.ts', () => {
  it('has an interface for each struct of the table', async () => {
    await expect(modelsText()).toMatchFileSnapshot('./models.ts')
  })
})
