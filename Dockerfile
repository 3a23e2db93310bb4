# syntax=docker/dockerfile:1
# Two stages: the first builds the command, the second contains only what runs. Build it with:
#   docker build --tag fieldroster:0.1.0 .
# Tags can be moved; digests cannot. To pin the base, append its digest to both tags (…-slim@sha256:…):
#   docker buildx imagetools inspect --format '{{.Manifest.Digest}}' node:26.10.0-bookworm-slim
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/contract/package.json packages/contract/
COPY packages/server/package.json packages/server/
COPY packages/signing/package.json packages/signing/
COPY packages/tables/package.json packages/tables/
COPY scripts/package.json scripts/
# Runs no package's install script; the image already has Node.js.
RUN npm ci --ignore-scripts
COPY LICENSE tsconfig.json ./
COPY packages packages
COPY scripts scripts
# The page at /docs is made from the description, the console shows the examples, and messages name the documents.
COPY docs docs
COPY examples examples
RUN node --conditions=fieldroster-source scripts/build.ts

FROM node:26.10.0-bookworm-slim
LABEL org.opencontainers.image.title="Fieldroster" \
      org.opencontainers.image.description="A user directory for retail field operations" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    FIELDROSTER_DATA=/data \
    FIELDROSTER_HOST=0.0.0.0 \
    FIELDROSTER_PORT=8080
WORKDIR /app
COPY --from=build /app/packages/cli/package.json /app/packages/cli/LICENSE /app/packages/cli/THIRD-PARTY-NOTICES ./
COPY --from=build /app/packages/cli/dist dist
COPY --from=build /app/packages/cli/sample sample
# The folder of the key file and of the embedded database belongs to the user that the server runs as. The number is
# the user `node`: Kubernetes cannot tell from a name that it is not root.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.FIELDROSTER_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The server is the container's first process, gets the signal and finishes its requests.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
