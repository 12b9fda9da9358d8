# docker build -t kd .
# docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD:/tables:ro" kd serve /tables/glove.kd --addr :8080 --insecure-public
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /kd ./cmd/kd

FROM scratch
# For the URLs that kd is given to download from.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /kd /kd
USER 65532:65532
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["/kd", "serve", "--check", "http://127.0.0.1:8080"]
ENTRYPOINT ["/kd"]
