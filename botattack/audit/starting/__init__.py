"""From a curl command, an OpenAPI file or an address to a target file and a first campaign."""
