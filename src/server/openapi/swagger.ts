// Converts OpenAPI v3 to v2, which older clients and generators read.
// Kubernetes: k8s.io/kube-openapi/pkg/builder.openAPI.*
import { kubernetes } from '../../api/machinery/kubernetes-version.ts'
import type { Paths } from './operations.ts'
import type { Schema } from './schemas.ts'

export interface Version3 {
  readonly paths: Paths
  readonly schemas: Readonly<Record<string, Schema>>
}

export const info = { title: 'Kubernetes', version: kubernetes.version }

export function toSwagger({ paths, schemas }: Version3): Schema {
  return {
    swagger: '2.0',
    info,
    paths: mapValues(paths, toPath),
    definitions: mapValues(schemas, toDefinition),
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  }
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}

/** Without defaults and alternatives, which v2 does not have. A $ref that v3 wraps in allOf stands alone. */
function toDefinition(schema: Schema): Schema {
  const {
    $ref,
    allOf,
    oneOf,
    default: _,
    properties,
    items,
    additionalProperties,
    ...rest
  } = schema as {
    readonly [key: string]: unknown
    readonly $ref?: string
    readonly allOf?: readonly [Schema]
    readonly oneOf?: unknown
    readonly properties?: Readonly<Record<string, Schema>>
    readonly items?: Schema
    readonly additionalProperties?: Schema
  }
  return {
    ...rest,
    ...($ref !== undefined && { $ref: $ref.replace('#/components/schemas/', '#/definitions/') }),
    ...(allOf !== undefined && toDefinition(allOf[0])),
    ...(oneOf !== undefined && { type: 'string' }),
    ...(properties !== undefined && { properties: mapValues(properties, toDefinition) }),
    ...(items !== undefined && { items: toDefinition(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: toDefinition(additionalProperties) }),
  }
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly [key: string]: unknown
  readonly parameters?: readonly Schema[]
  readonly requestBody?: { readonly content: Content; readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

function toPath(path: Readonly<Record<string, unknown>>): Schema {
  return Object.fromEntries(
    Object.entries(path).map(([method, value]) => [
      method,
      method === 'parameters' ? (value as readonly Schema[]).map(toParameter) : toOperation(value as Operation),
    ]),
  )
}

function toParameter({ schema, ...rest }: Schema): Schema {
  return { ...rest, ...(schema as Schema) }
}

function toOperation({ parameters = [], requestBody, responses, ...rest }: Operation): Schema {
  const body = requestBody === undefined ? undefined : Object.values(requestBody.content)[0]
  const produced = new Set(Object.values(responses).flatMap(({ content = {} }) => Object.keys(content)))
  return {
    ...rest,
    schemes: ['https'],
    consumes: requestBody === undefined ? ['*/*'] : Object.keys(requestBody.content),
    produces: [...produced],
    parameters: [
      ...(body === undefined
        ? []
        : [{ name: 'body', in: 'body', ...(requestBody?.required === true && { required: true }), schema: toDefinition(body.schema) }]),
      ...parameters.map(toParameter),
    ],
    responses: mapValues(responses, ({ description, content = {} }) => {
      const answer = Object.values(content)[0]
      return { description, ...(answer !== undefined && { schema: toDefinition(answer.schema) }) }
    }),
  }
}
