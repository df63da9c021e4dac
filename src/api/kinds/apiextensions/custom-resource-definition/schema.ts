import type { Types } from '../../../machinery/schema/schema.ts'

/** The JSON schema of a version is free-form here: ../../../machinery/structural reads it. */
export const customResourceDefinitionTypes: Types = {
  'apiextensions.CustomResourceDefinition': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'apiextensions.CustomResourceDefinitionSpec always required #2',
    status: 'apiextensions.CustomResourceDefinitionStatus #3',
  },
  'apiextensions.CustomResourceDefinitionSpec': {
    group: 'string always required #1',
    names: 'apiextensions.CustomResourceDefinitionNames always required #3',
    scope: 'string always required #4',
    versions: '[]apiextensions.CustomResourceDefinitionVersion always list=atomic required #7',
    conversion: '*apiextensions.CustomResourceConversion #9',
    preserveUnknownFields: 'bool #10',
  },
  'apiextensions.CustomResourceDefinitionNames': {
    plural: 'string always required #1',
    singular: 'string #2',
    shortNames: '[]string list=atomic #3',
    kind: 'string always required #4',
    listKind: 'string #5',
    categories: '[]string list=atomic #6',
  },
  'apiextensions.CustomResourceDefinitionVersion': {
    name: 'string always required #1',
    served: 'bool always required #2',
    storage: 'bool always required #3',
    deprecated: 'bool #7',
    deprecationWarning: '*string #8',
    schema: '*apiextensions.CustomResourceValidation #4',
    subresources: '*apiextensions.CustomResourceSubresources #5',
    additionalPrinterColumns: '[]apiextensions.CustomResourceColumnDefinition list=atomic #6',
    selectableFields: '[]apiextensions.SelectableField list=atomic #9',
  },
  'apiextensions.CustomResourceValidation': {
    openAPIV3Schema: '*any goType=JSONSchemaProps goName=OpenAPIV3Schema #1',
  },
  'apiextensions.CustomResourceSubresources': {
    status: '*apiextensions.CustomResourceSubresourceStatus #1',
    scale: '*apiextensions.CustomResourceSubresourceScale #2',
  },
  'apiextensions.CustomResourceSubresourceStatus': {},
  'apiextensions.CustomResourceSubresourceScale': {
    specReplicasPath: 'string always required #1',
    statusReplicasPath: 'string always required #2',
    labelSelectorPath: '*string #3',
  },
  'apiextensions.CustomResourceColumnDefinition': {
    name: 'string always required #1',
    type: 'string always required #2',
    format: 'string #3',
    description: 'string #4',
    priority: 'int32 #5',
    jsonPath: 'string always required goName=JSONPath #6',
  },
  'apiextensions.SelectableField': { jsonPath: 'string always required goName=JSONPath #1' },
  'apiextensions.CustomResourceConversion': {
    strategy: 'string always required #1',
    webhook: '*apiextensions.WebhookConversion #2',
  },
  'apiextensions.WebhookConversion': {
    clientConfig: '*apiextensions.WebhookClientConfig #2',
    conversionReviewVersions: '[]string always list=atomic required #3',
  },
  'apiextensions.WebhookClientConfig': {
    url: '*string goName=URL #3',
    service: '*apiextensions.ServiceReference #1',
    caBundle: 'bytes goName=CABundle #2',
  },
  'apiextensions.ServiceReference': {
    namespace: 'string always required #1',
    name: 'string always required #2',
    path: '*string #3',
    port: '*int32 #4',
  },
  'apiextensions.CustomResourceDefinitionStatus': {
    conditions: '[]apiextensions.CustomResourceDefinitionCondition always list=map keys=type #1',
    acceptedNames: 'apiextensions.CustomResourceDefinitionNames always #2',
    storedVersions: '[]string always list=atomic #3',
    observedGeneration: 'int64 #4',
  },
  'apiextensions.CustomResourceDefinitionCondition': {
    type: 'string always required #1',
    status: 'string always required #2',
    lastTransitionTime: 'Time omitzero #3',
    reason: 'string #4',
    message: 'string #5',
    observedGeneration: 'int64 #6',
  },
}
