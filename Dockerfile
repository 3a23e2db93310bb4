# syntax=docker/dockerfile:1
# Two stages: the command is built in the first, and only what runs is copied into the second.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/signing/package.json packages/signing/
COPY packages/contract/package.json packages/contract/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
# No package gets to run a script of its own; the image brings its Node.js along.
RUN npm ci --ignore-scripts
COPY LICENSE tsconfig.json ./
COPY packages packages
COPY scripts scripts
# The page at /docs is made from it.
COPY docs/openapi.json docs/
RUN node --conditions=fieldroster-source scripts/build.ts

FROM node:26-bookworm-slim
ENV NODE_ENV=production \
    FIELDROSTER_DATA=/data \
    FIELDROSTER_HOST=0.0.0.0 \
    FIELDROSTER_PORT=8080
WORKDIR /app
COPY --from=build /app/packages/cli/package.json /app/packages/cli/LICENSE /app/packages/cli/THIRD-PARTY-NOTICES ./
COPY --from=build /app/packages/cli/dist dist
COPY --from=build /app/packages/cli/sample sample
# What the page at /docs signs with, in browsers.
COPY --from=build /app/packages/signing/package.json node_modules/@fieldroster/signing/
COPY --from=build /app/packages/signing/dist node_modules/@fieldroster/signing/dist
COPY --from=build /app/node_modules/@noble/hashes node_modules/@noble/hashes
# The folder of the key file and of the embedded database belongs to the user that the server runs as.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.FIELDROSTER_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The process is the first of its container and gets the signals: it finishes its requests and ends.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
