// The protobuf messages of OpenAPI documents, as client-go reads them: gnostic's openapi.v2 and openapi.v3.
// https://github.com/google/gnostic-models has the numbers of the fields, in openapiv2/OpenAPIv2.proto and openapiv3/OpenAPIv3.proto.
// Kubernetes: github.com/google/gnostic-models/openapiv3.NewDocument, NewSchema
// Kubernetes: github.com/google/gnostic-models/openapiv2.NewDocument, NewSchema

/**
 * A message by its name: its fields in the order of their numbers, under the names that JSON has. A field without a type is a string. `*` after a type: repeated.
 * `x-` holds the members whose names begin so, and a field `*` all other members, both as pairs of name and value.
 * `{T}` is a message with such pairs only, `[T]` a message with one repeated field, and `A|B` a message with one of several fields.
 */
export interface Messages {
  readonly messages: Readonly<Record<string, string>>
  /** The member, and its value, by which a message is recognised among those that one place allows. */
  readonly marks: Readonly<Record<string, readonly [member: string, value?: string]>>
}

const limits =
  'maximum:double exclusiveMaximum:bool minimum:double exclusiveMinimum:bool maxLength:int64 minLength:int64 pattern maxItems:int64 minItems:int64 uniqueItems:bool'
const primitive = `type format items:PrimitivesItems collectionFormat default:any ${limits} enum:any* multipleOf:double`

export const version2: Messages = {
  messages: {
    Document:
      'swagger info:Info host basePath schemes* consumes* produces* paths:Paths definitions:{Schema} parameters:{Parameter} responses:{Response} ' +
      'security:{[string]}* securityDefinitions:{SecurityDefinition} tags:Tag* externalDocs:ExternalDocs x-',
    Info: 'title version description termsOfService contact:Contact license:License x-',
    Contact: 'name url email x-',
    License: 'name url x-',
    Tag: 'name description externalDocs:ExternalDocs x-',
    ExternalDocs: 'description url x-',
    Paths: 'x- *:PathItem',
    PathItem:
      '$ref get:Operation put:Operation post:Operation delete:Operation options:Operation head:Operation patch:Operation parameters:Parameter|JsonReference* x-',
    Operation:
      'tags* summary description externalDocs:ExternalDocs operationId produces* consumes* parameters:Parameter|JsonReference* responses:Responses schemes* ' +
      'deprecated:bool security:{[string]}* x-',
    Parameter: 'BodyParameter|NonBodyParameter',
    BodyParameter: 'description name in required:bool schema:Schema x-',
    NonBodyParameter: 'HeaderParameter|FormDataParameter|QueryParameter|PathParameter',
    HeaderParameter: `required:bool in description name ${primitive} x-`,
    FormDataParameter: `required:bool in description name allowEmptyValue:bool ${primitive} x-`,
    QueryParameter: `required:bool in description name allowEmptyValue:bool ${primitive} x-`,
    PathParameter: `required:bool in description name ${primitive} x-`,
    PrimitivesItems: `${primitive} x-`,
    Responses: '*:Response|JsonReference x-',
    Response: 'description schema:Schema|FileSchema headers:{Header} examples:{any} x-',
    Header: `${primitive} description x-`,
    JsonReference: '$ref description',
    Schema:
      `$ref format title description default:any multipleOf:double ${limits} maxProperties:int64 minProperties:int64 required* enum:any* ` +
      'additionalProperties:Schema|bool type:[string] items:[Schema] allOf:Schema* properties:{Schema} discriminator readOnly:bool xml:Xml ' +
      'externalDocs:ExternalDocs example:any x-',
    FileSchema: 'format title description default:any required* type readOnly:bool externalDocs:ExternalDocs example:any x-',
    Xml: 'name namespace prefix attribute:bool wrapped:bool x-',
    SecurityDefinition: 'BasicSecurity|ApiKeySecurity|ImplicitSecurity|PasswordSecurity|ApplicationSecurity|AccessCodeSecurity',
    BasicSecurity: 'type description x-',
    ApiKeySecurity: 'type name in description x-',
    ImplicitSecurity: 'type flow scopes:{string} authorizationUrl description x-',
    PasswordSecurity: 'type flow scopes:{string} tokenUrl description x-',
    ApplicationSecurity: 'type flow scopes:{string} tokenUrl description x-',
    AccessCodeSecurity: 'type flow scopes:{string} authorizationUrl tokenUrl description x-',
  },
  marks: {
    JsonReference: ['$ref'],
    FileSchema: ['type', 'file'],
    BodyParameter: ['in', 'body'],
    HeaderParameter: ['in', 'header'],
    FormDataParameter: ['in', 'formData'],
    QueryParameter: ['in', 'query'],
    PathParameter: ['in', 'path'],
    BasicSecurity: ['type', 'basic'],
    ApiKeySecurity: ['type', 'apiKey'],
    ImplicitSecurity: ['flow', 'implicit'],
    PasswordSecurity: ['flow', 'password'],
    ApplicationSecurity: ['flow', 'application'],
    AccessCodeSecurity: ['flow', 'accessCode'],
  },
}

const content = 'example:any examples:{Example|Reference} content:{MediaType}'

export const version3: Messages = {
  messages: {
    Document:
      'openapi info:Info servers:Server* paths:Paths components:Components security:{[string]}* tags:Tag* externalDocs:ExternalDocs x-',
    Info: 'title description termsOfService contact:Contact license:License version x- summary',
    Contact: 'name url email x-',
    License: 'name url x-',
    Tag: 'name description externalDocs:ExternalDocs x-',
    ExternalDocs: 'description url x-',
    Server: 'url description variables:{ServerVariable} x-',
    ServerVariable: 'enum* default description x-',
    Paths: '*:PathItem x-',
    PathItem:
      '$ref summary description get:Operation put:Operation post:Operation delete:Operation options:Operation head:Operation patch:Operation ' +
      'trace:Operation servers:Server* parameters:Parameter|Reference* x-',
    Operation:
      'tags* summary description externalDocs:ExternalDocs operationId parameters:Parameter|Reference* requestBody:RequestBody|Reference ' +
      'responses:Responses callbacks:{Callback|Reference} deprecated:bool security:{[string]}* servers:Server* x-',
    Callback: '*:PathItem x-',
    Parameter: `name in description required:bool deprecated:bool allowEmptyValue:bool style explode:bool allowReserved:bool schema:Schema|Reference ${content} x-`,
    Header: `description required:bool deprecated:bool allowEmptyValue:bool style explode:bool allowReserved:bool schema:Schema|Reference ${content} x-`,
    Example: 'summary description value:any externalValue x-',
    MediaType: 'schema:Schema|Reference example:any examples:{Example|Reference} encoding:{Encoding} x-',
    Encoding: 'contentType headers:{Header|Reference} style explode:bool allowReserved:bool x-',
    RequestBody: 'description content:{MediaType} required:bool x-',
    Responses: 'default:Response|Reference *:Response|Reference x-',
    Response: 'description headers:{Header|Reference} content:{MediaType} links:{Link|Reference} x-',
    Link: 'operationRef operationId parameters:any|{any} requestBody:any|{any} description server:Server x-',
    Reference: '$ref summary description',
    Components:
      'schemas:{Schema|Reference} responses:{Response|Reference} parameters:{Parameter|Reference} examples:{Example|Reference} ' +
      'requestBodies:{RequestBody|Reference} headers:{Header|Reference} securitySchemes:{SecurityScheme|Reference} links:{Link|Reference} ' +
      'callbacks:{Callback|Reference} x-',
    Schema:
      'nullable:bool discriminator:Discriminator readOnly:bool writeOnly:bool xml:Xml externalDocs:ExternalDocs example:any deprecated:bool title ' +
      `multipleOf:double ${limits} maxProperties:int64 minProperties:int64 required* enum:any* type allOf:Schema|Reference* oneOf:Schema|Reference* ` +
      'anyOf:Schema|Reference* not:Schema items:[Schema|Reference] properties:{Schema|Reference} additionalProperties:SchemaOrReference|bool ' +
      'default:double|bool|string description format x-',
    SchemaOrReference: 'Schema|Reference',
    Discriminator: 'propertyName mapping:{string} x-',
    Xml: 'name namespace prefix attribute:bool wrapped:bool x-',
    SecurityScheme: 'type description name in scheme bearerFormat flows:OauthFlows openIdConnectUrl x-',
    OauthFlows: 'implicit:OauthFlow password:OauthFlow clientCredentials:OauthFlow authorizationCode:OauthFlow x-',
    OauthFlow: 'authorizationUrl tokenUrl refreshUrl scopes:{string} x-',
  },
  marks: { Reference: ['$ref'] },
}
