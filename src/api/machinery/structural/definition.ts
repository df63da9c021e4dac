// The types of a CustomResourceDefinition and of the JSON schemas in it.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaProps, CustomResourceDefinitionSpec
import type { KubernetesObject } from '../types.ts'

export interface JsonSchema {
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly title?: string
  readonly default?: unknown
  readonly maximum?: number
  readonly exclusiveMaximum?: boolean
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly maxLength?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly maxItems?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly multipleOf?: number
  readonly enum?: readonly unknown[]
  readonly maxProperties?: number
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly nullable?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
  readonly [other: string]: unknown
}

export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

export interface DefinitionNames {
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface DefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema }
  readonly subresources?: {
    readonly status?: object
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string }
  }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

export interface WebhookConversion {
  readonly clientConfig?: {
    readonly url?: string
    readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number }
    readonly caBundle?: string
  }
  readonly conversionReviewVersions: readonly string[]
}

export interface DefinitionCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
  readonly observedGeneration?: number
}

export interface CustomResourceDefinition extends KubernetesObject {
  readonly spec: {
    readonly group: string
    readonly names: DefinitionNames
    readonly scope: string
    readonly versions: readonly DefinitionVersion[]
    readonly conversion?: { readonly strategy: string; readonly webhook?: WebhookConversion }
    readonly preserveUnknownFields?: boolean
  }
  readonly status?: {
    readonly conditions?: readonly DefinitionCondition[] | null
    readonly acceptedNames?: Partial<DefinitionNames>
    readonly storedVersions?: readonly string[] | null
  }
}
