// The types of a CustomResourceDefinition and of the JSON schemas in it.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaProps, CustomResourceDefinitionSpec
import type { apiextensions } from '../generated/models.ts'

type NestedSchema = 'items' | 'allOf' | 'oneOf' | 'anyOf' | 'not' | 'properties' | 'additionalProperties'

/** As in a structural schema: `items` is one schema. */
export interface JsonSchema extends Omit<apiextensions.JSONSchemaProps, NestedSchema> {
  readonly items?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly [other: string]: unknown
}

export type ValidationRule = apiextensions.ValidationRule
export type DefinitionNames = apiextensions.CustomResourceDefinitionNames
export type PrinterColumn = apiextensions.CustomResourceColumnDefinition
export type WebhookConversion = apiextensions.WebhookConversion

export interface DefinitionCondition extends apiextensions.CustomResourceDefinitionCondition {
  readonly status: 'True' | 'False' | 'Unknown'
}

export interface DefinitionVersion extends Omit<apiextensions.CustomResourceDefinitionVersion, 'schema'> {
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema }
}

/** A definition that was decoded: it has a spec, and nulls for lists that Go does not omit. */
export interface CustomResourceDefinition extends Omit<apiextensions.CustomResourceDefinition, 'spec' | 'status'> {
  readonly spec: Omit<apiextensions.CustomResourceDefinitionSpec, 'versions'> & { readonly versions: readonly DefinitionVersion[] }
  readonly status?: {
    readonly conditions?: readonly DefinitionCondition[] | null
    readonly acceptedNames?: Partial<DefinitionNames>
    readonly storedVersions?: readonly string[] | null
  }
}
